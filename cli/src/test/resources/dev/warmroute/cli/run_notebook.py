"""Runs the cells of notebook.ipynb from top to bottom in the directory given, as Jupyter would, and prints its figures as JSON."""

import json
import os
import sys

os.chdir(sys.argv[1])
with open("notebook.ipynb", encoding="utf-8") as file:
    notebook = json.load(file)
assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
names = {}
for cell in notebook["cells"]:
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
print(json.dumps(names["figures"]))
