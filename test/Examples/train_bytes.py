# REQUIRES: lattn-python, torch, slow
# RUN: env PYTHONPATH=%lattn_build/python %python -B -m pytest -q -p no:cacheprovider --import-mode=importlib %s

# examples/train_bytes.py: what it trains, writes, resumes and refuses. The
# comparison with the local-attention package is skipped where that is not installed.

import importlib.util
import io
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest
import torch

pytest.importorskip("safetensors", reason="scripts/setup torch installs it")
pytestmark = pytest.mark.filterwarnings("ignore:lattn.nn")
SCRIPT = pathlib.Path(__file__).parents[2] / "examples/train_bytes.py"
spec = importlib.util.spec_from_file_location("train_bytes", SCRIPT)
train_bytes = importlib.util.module_from_spec(spec)
sys.path.insert(0, str(SCRIPT.parent))  # as Python does for a script
spec.loader.exec_module(train_bytes)


def run(folder, *arguments):
    return train_bytes.main(["--quick", "--threads", "1", "--folder", str(folder),
                             *map(str, arguments)])


def losses(folder):
    return json.loads((folder / "curve.json").read_text())["loss"]


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained") / "new"
    assert run(folder) == 0
    return folder


def test_files(trained, tmp_path, capsys):
    found = losses(trained)
    assert len(found) == 20 and abs(found[0] - math.log(256)) < 1
    assert found[-1] < found[0] - 2
    assert sorted(path.name for path in trained.iterdir()) == [
        "checkpoint.safetensors", "curve.json", "curve.svg"]
    drawn = (trained / "curve.svg").read_text()
    assert "loss in nats a byte" in drawn and "lattn.nn" in drawn
    assert run(trained, "--resume") == 0  # nothing is left to do
    said = capsys.readouterr().out
    assert "held out; 31,220 parameters" in said and "step" not in said
    assert "def " in said


@pytest.mark.parametrize("steps", [1, 7, 10])
def test_resume_gives_the_same_bits(trained, tmp_path, steps):
    assert run(tmp_path, "--steps", steps) == 0
    assert losses(tmp_path) == losses(trained)[:steps]
    assert run(tmp_path, "--resume") == 0
    for name in ("checkpoint.safetensors", "curve.json"):
        assert (tmp_path / name).read_bytes() == (trained / name).read_bytes(), name


def test_package(trained, tmp_path, capsys):
    pytest.importorskip("local_attention", reason="scripts/setup torch installs it")
    assert run(tmp_path, "--package", "--beside", trained) == 0
    apart = [abs(a - b) for a, b in zip(losses(trained), losses(tmp_path))]
    assert len(apart) == 20 and 0 < max(apart) < 2e-4, apart
    said = capsys.readouterr().out
    assert f"20 steps of both: losses differ by at most {max(apart):.1e}" in said
    drawn = (tmp_path / "curve.svg").read_text()
    assert "local-attention package" in drawn and "lattn.nn" in drawn


def test_interrupt(trained, tmp_path):
    """Ctrl-C finishes the step and writes a checkpoint; from there on the curve is
    the same."""
    process = subprocess.Popen(
        [sys.executable, SCRIPT, "--quick", "--threads", "1", "--folder", tmp_path,
         "--steps", "100000", "--save-every", "100000"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"})
    for line in process.stdout:
        if line.startswith("step    20"):
            break
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait() == 130, rest
    stopped = int(re.search(r"stopped after step (\d+); --resume goes on", rest)[1])
    found = losses(tmp_path)
    assert len(found) == stopped >= 20 and found[:20] == losses(trained)
    assert run(tmp_path, "--resume", "--steps", stopped + 1) == 0
    assert losses(tmp_path)[:stopped] == found


def test_progress_bar(monkeypatch, tmp_path, capsys):
    """On a terminal. Elsewhere, and without tqdm, there are lines."""
    pytest.importorskip("tqdm", reason="scripts/setup torch installs it")

    class Terminal(io.StringIO):
        def isatty(self):
            return True
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    assert run(tmp_path, "--steps", 3) == 0
    bar = terminal.getvalue()
    assert re.search(r"step 3, loss \d\.\d{3}", bar) and " tokens/s" in bar, bar
    monkeypatch.setattr(train_bytes, "tqdm", None)
    assert run(tmp_path, "--steps", 4, "--resume") == 0
    assert terminal.getvalue() == bar
    assert re.search(r"step     4  loss .* tokens/s", capsys.readouterr().out)


def refuse(capsys, folder, *arguments, code=1):
    """The error."""
    before = {path: path.read_bytes() for path in folder.glob("*")}
    try:
        assert run(folder, *arguments) == code
    except SystemExit as end:
        assert end.code == code
    assert before == {path: path.read_bytes() for path in folder.glob("*")}
    return capsys.readouterr().err


def test_errors_of_options(capsys, tmp_path):
    for arguments, message in (
            (["--length", 100], "--length: expected a multiple of --window 16, got 100"),
            (["--head-size", 15], "--head-size: expected an even number"),
            (["--sample", 64], "--sample: expected less than --length 64, got 64"),
            (["--steps", 0], "--steps: expected a number >= 1, got 0"),
            (["--lr", "nan"], "--lr: expected a number > 0, got nan")):
        assert message in refuse(capsys, tmp_path, *arguments, code=2)


def test_errors_of_text(capsys, tmp_path):
    assert f"there is no folder {tmp_path}/no" in refuse(
        capsys, tmp_path / "a", "--text", tmp_path / "no")
    (tmp_path / "a.py").write_text("print(1)")
    assert "expected a folder with .py files" in refuse(
        capsys, tmp_path / "a", "--text", tmp_path / "a.py")
    assert ("has 1 .py files with 8 bytes of text to train on; --length 64 needs more "
            "than 64") in refuse(capsys, tmp_path / "a", "--text", tmp_path)


def test_errors_of_checkpoints(trained, capsys, tmp_path):
    assert "use --resume" not in refuse(capsys, trained)
    assert "was trained with dim 32, and this run has 64; lr 0.01, and this" in refuse(
        capsys, trained, "--resume", "--dim", 64, "--lr", 1)
    assert "is at step 20, beyond 5" in refuse(capsys, trained, "--resume", "--steps", 5)
    wanted = ("was trained with package False"
              if importlib.util.find_spec("local_attention")
              else "local-attention is not installed")
    assert wanted in refuse(capsys, trained, "--resume", "--package")
    path = tmp_path / "checkpoint.safetensors"
    assert f"there is no {path}" in refuse(capsys, tmp_path, "--resume")
    whole = (trained / path.name).read_bytes()
    for broken in (b"", whole[:100], whole[:-1], b"x" * 1000,
                   whole.replace(b"lattn-train-bytes-1", b"lattn-train-bytes-0"),
                   whole.replace(b"optimizer.exp_avg.to", b"optimizer.exp_abc.to")):
        path.write_bytes(broken)
        assert f"{path} is no checkpoint: " in refuse(capsys, tmp_path, "--resume")


def test_errors_of_beside(trained, capsys, tmp_path):
    assert "--beside: [Errno 2]" in refuse(capsys, tmp_path / "a", "--beside", tmp_path)
    for text in ("", "[]", '{"loss": [1]}', '{"loss": [], "configuration": {}}'):
        (tmp_path / "curve.json").write_text(text)
        assert "curve.json is no curve: " in refuse(
            capsys, tmp_path / "a", "--beside", tmp_path)
    assert "was trained with window 16, and this run has 32" in refuse(
        capsys, tmp_path / "a", "--beside", trained, "--window", 32)


def test_nothing_is_written_by_half(trained, monkeypatch, capsys, tmp_path):
    assert run(tmp_path, "--steps", 5) == 0
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    def fail(tensors, path, metadata):
        pathlib.Path(path).write_bytes(b"a half")
        raise OSError("no space")
    monkeypatch.setattr("safetensors.torch.save_file", fail)
    assert "no space" in refuse(capsys, tmp_path, "--resume")
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir()}


def test_loss_that_is_no_number(capsys, tmp_path):
    assert run(tmp_path, "--lr", 1e30) == 1
    assert "the loss is nan: try a smaller --lr" in capsys.readouterr().err


def test_text_is_the_same_everywhere(tmp_path):
    for i in range(20):
        (tmp_path / f"{i % 2}").mkdir(exist_ok=True)
        (tmp_path / f"{i % 2}" / f"{i:02}.py").write_text(f"{i:02}" * 5)
    (tmp_path / "test").mkdir()
    (tmp_path / "test/a.py").write_text("of a test")
    text, held_out = train_bytes.read_text(tmp_path, 8)
    names = [*range(0, 20, 2), *range(1, 20, 2)]  # sorted by folder and name
    expected = ["".join(f"{i:02}" * 5 for i in part) for part in (
        names[:9] + names[10:19], [names[9], names[19]])]
    assert [bytes(x.tolist()).decode() for x in (text, held_out)] == expected
    assert torch.equal(train_bytes.cut(text, [3], 4)[0], text[3:8].long())
