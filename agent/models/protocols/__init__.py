"""The protocols that scripts and other agents' command lines speak with models.

* ``spoken``: what every one of them asks and gets
* ``chat``: OpenAI's chat completions
* ``responses``: OpenAI's responses
* ``messages``: Anthropic's messages
"""
