"""jsons.py -- RFC 6902 (patches), 6901 (pointers) and 8785 (canonical form),
written from the RFCs and from nothing in this project."""

import copy
import json


def canonical(value):
    """RFC 8785, of values whose numbers are integers."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        assert abs(value) < 2 ** 53, value
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    assert isinstance(value, dict), value
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(quoted(name) + ":" + canonical(value[name])
                          for name in names) + "}"


def quoted(text):
    """A string as 8785 wants it."""
    short = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f",
             "\r": "\\r", '"': '\\"', "\\": "\\\\"}
    return '"' + "".join(
        short.get(c) or (f"\\u{ord(c):04x}" if c < " " else c)
        for c in text) + '"'


def steps(pointer):
    """A JSON pointer's reference tokens."""
    if pointer == "":
        return []
    assert pointer[0] == "/", pointer
    return [step.replace("~1", "/").replace("~0", "~")
            for step in pointer[1:].split("/")]


def index(step, length):
    """An array index, which must exist."""
    assert step.isdigit() and (step == "0" or step[0] != "0"), step
    assert int(step) < length, (step, length)
    return int(step)


def find(document, path):
    """What a list of steps leads to."""
    for step in path:
        if isinstance(document, list):
            document = document[index(step, len(document))]
        else:
            document = document[step]
    return document


def add(document, path, value):
    if not path:
        return value
    holder, last = find(document, path[:-1]), path[-1]
    if isinstance(holder, list):
        at = len(holder) if last == "-" else index(last, len(holder) + 1)
        holder.insert(at, value)
    else:
        assert isinstance(holder, dict)
        holder[last] = value
    return document


def remove(document, path):
    holder, last = find(document, path[:-1]), path[-1]
    if isinstance(holder, list):
        del holder[index(last, len(holder))]
    else:
        del holder[last]
    return document


def patched(document, patch):
    """A copy of the document after all operations of the patch."""
    document = json.loads(json.dumps(document))
    for operation in patch:
        path, op = steps(operation["path"]), operation["op"]
        if op in ("move", "copy"):
            origin = steps(operation["from"])
            value = copy.deepcopy(find(document, origin))
            if op == "move":
                document = remove(document, origin)
            document = add(document, path, value)
        elif op == "remove":
            document = remove(document, path)
        elif op == "add":
            document = add(document, path, copy.deepcopy(operation["value"]))
        elif op == "test":
            assert find(document, path) == operation["value"], operation
        else:
            assert op == "replace", operation
            find(document, path)  # it has to be there
            if not path:
                document = copy.deepcopy(operation["value"])
                continue
            holder = find(document, path[:-1])
            last = (index(path[-1], len(holder)) if isinstance(holder, list)
                    else path[-1])
            holder[last] = copy.deepcopy(operation["value"])
    return document
