#!/usr/bin/env python3
"""Measures how long an editor waits for the language server after a change.

    cargo build --release -p flockwork
    python3 docs/measure/language_server.py target/release/flockwork

It makes a project of 50 scenarios that share a script of 500 lines, opens the script and some scenarios, and changes the visible file again and
again. The table has milliseconds: from a change to the first findings of the visible file, and to the answer of a request that
follows the change at once. Below 100 ms, an editor feels immediate. On Linux it also has the milliseconds in which processors worked
for the server meanwhile, which other programs disturb less.
"""

import argparse
import json
import os
import pathlib
import queue
import statistics
import subprocess
import tempfile
import threading
import time

SCRIPT = "scripts/big.rhai"
PART = """fn part_{i}(me, near) {{
    let speed = me.params.speed * {i} / 60;
    let other = me.nearest("b");
    let to = if other == () {{ vec({i}, 0) }} else {{ other.pos }};
    if near.count > {i} {{ return me.seek(to, speed); }}
    me.state.sum += (to - me.pos).length() * 0.5;
    me.separation(5 + {i}) + me.wander() * 0.1
}}
"""
GROUP = """(
            behavior: "big",
            count: 20,
            spawn: Disc(center: (50, 50), radius: 20),
            body: (max_speed: 9, max_force: 9),
        )"""
SCENARIO = """(
    world: (size: (100, 100)),
    params: {{ "speed": {i} }},
    groups: {{
        "a": {group},
        "b": {group},
    }},
)
"""


def write_project(root, scenarios):
    """Writes the files, and returns their contents."""
    script = "".join(PART.format(i=i) for i in range(60))
    script += "fn init(me) {\n    me.state.sum = 0.0;\n}\nfn steer(me) {\n"
    script += "    let near = me.neighbors(20);\n    let force = vec(0, 0);\n"
    script += "".join(f"    force += part_{i}(me, near);\n" for i in range(60)) + "    force\n}\n"
    files = {SCRIPT: script}
    for i in range(scenarios):
        files[f"scenarios/s{i}.ron"] = SCENARIO.format(i=i, group=GROUP)
    for path, text in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text)
    return files


class Editor:
    """Speaks with the server over pipes."""

    def __init__(self, program, root):
        self.root = root
        command = [program, "lsp"]
        self.server = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.versions = {}
        self.ids = 0
        self.request("initialize", {"capabilities": {}, "rootUri": root.as_uri()})
        self.notify("initialized", {})

    def _read(self):
        out = self.server.stdout
        while line := out.readline():
            length = int(line.split(b":")[1])
            while out.readline().strip():
                pass
            self.messages.put(json.loads(out.read(length)))

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.server.stdin.flush()

    def notify(self, method, params):
        self._send({"method": method, "params": params})

    def request(self, method, params):
        self.ids += 1
        self._send({"id": self.ids, "method": method, "params": params})
        while (message := self.messages.get(timeout=60)).get("id") != self.ids or "method" in message:
            pass
        return message["result"]

    def document(self, path):
        return {"uri": (self.root / path).as_uri()}

    def open(self, path, text):
        self.versions[path] = 1
        document = {**self.document(path), "languageId": path.rsplit(".")[-1], "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, path, text):
        self.versions[path] += 1
        document = {**self.document(path), "version": self.versions[path]}
        params = {"textDocument": document, "contentChanges": [{"text": text}]}
        self.notify("textDocument/didChange", params)

    def wait_for_findings(self, path):
        """Waits for the findings of the newest version of a file."""
        while True:
            message = self.messages.get(timeout=60)
            params = message.get("params", {})
            is_findings = message.get("method") == "textDocument/publishDiagnostics"
            if is_findings and params["uri"] == self.document(path)["uri"]:
                if params.get("version") == self.versions[path]:
                    return

    def processor_ms(self):
        """Returns for how many milliseconds processors have worked for the server, in steps of 10; 0 where nobody counts them."""
        counts = pathlib.Path(f"/proc/{self.server.pid}/stat")
        if not counts.exists():
            return 0
        user, system = counts.read_text().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) * 1000 / os.sysconf("SC_CLK_TCK")

    def wait_until_idle(self):
        """Waits until no message comes for a while."""
        try:
            while True:
                self.messages.get(timeout=1)
        except queue.Empty:
            pass


def position(text, word):
    """Returns the position behind a word."""
    before = text[: text.index(word) + len(word)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def measure(editor, path, texts, turns, wait):
    """Returns the milliseconds of the waits after changes between two texts, and those of processors. The first does not count."""
    times, processor_times = [], []
    for turn in range(turns + 1):
        editor.wait_until_idle()
        start, processor_start = time.perf_counter(), editor.processor_ms()
        editor.change(path, texts[turn % 2])
        wait(texts[turn % 2])
        times.append((time.perf_counter() - start) * 1000)
        processor_times.append(editor.processor_ms() - processor_start)
    return times[1:], processor_times[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--scenarios", type=int, default=50)
    options = parser.parse_args()
    program = pathlib.Path(options.program).resolve()
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        files = write_project(root, options.scenarios)
        changes = {
            SCRIPT: ("near.count > 9 ", "near.count > 8 "),
            "scenarios/s0.ron": ('"speed": 0', '"speed": 9'),
        }
        print("| open scenarios | visible file | from a change to | median ms | largest ms | of processors, mean ms |")
        print("|---|---|---|---|---|---|")
        for opened in (0, options.scenarios):
            editor = Editor(program, root)
            for path in [f"scenarios/s{i}.ron" for i in range(opened)]:
                editor.open(path, files[path])
            for path, (old, new) in changes.items():
                if path not in editor.versions:
                    editor.open(path, files[path])
                texts = (files[path].replace(old, new), files[path])

                def ask(method, path=path, word=old):
                    def wait(text):
                        at = position(text, word[:4])
                        params = {"textDocument": editor.document(path), "position": at}
                        editor.request(f"textDocument/{method}", params)

                    return wait

                for name, wait in {
                    "its first findings": lambda _: editor.wait_for_findings(path),
                    "hover": ask("hover"),
                    "completion": ask("completion"),
                }.items():
                    times, processor_times = measure(editor, path, texts, options.turns, wait)
                    row = [statistics.median(times), max(times), statistics.mean(processor_times)]
                    row = [opened, path, name, *(f"{ms:.0f}" for ms in row)]
                    print("|", " | ".join(map(str, row)), "|", flush=True)
            editor.server.kill()


if __name__ == "__main__":
    main()
