import csv

SLOPE = 2.5
FLAVOUR = "plain"  # one of: plain, salted


def read(name):
    with open(f"data/{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


points = read("train")
for epoch in range(3):
    error = sum(abs(SLOPE * float(p["x"]) - float(p["y"])) for p in points) / len(points)
    print(f"epoch {epoch}: validation MAE: {error + (FLAVOUR == 'plain'):.4f}")
with open("submission.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["x", "y"])
    for p in read("test"):
        writer.writerow([p["x"], SLOPE * float(p["x"])])
