"""To run it from the repository's root:

    .venv/bin/python examples/train_bytes.py                          # trains
    .venv/bin/python examples/train_bytes.py --resume --steps 2000    # goes on
    .venv/bin/python examples/train_bytes.py --package \\
        --folder train_bytes_package --beside train_bytes

Trains a LocalTransformer on the bytes of Python's standard library. The last command
trains the local-attention package's module with the same weights and batches, and
compares the two curves.

The folder --folder gets checkpoint.safetensors (weights, AdamW's state and the curve),
curve.json and curve.svg. Each file is written as a whole or not at all. Ctrl-C writes
them, too. A run that is resumed with the same number of threads has the curve of a run
that was never stopped, bit for bit, because a batch depends only on the seed and on
its step's number.
"""

import argparse
import contextlib
import hashlib
import json
import math
import os
import pathlib
import random
import signal
import sys
import sysconfig
import tempfile
import time

try:
    import torch
except ImportError:
    sys.exit("torch is not installed: scripts/setup torch, or pip install torch")

try:
    from tqdm import tqdm
except ImportError:
    tqdm = None

from curves import picture

# What a checkpoint and the run that resumes it must agree on.
MODEL = {"dim": 512, "depth": 6, "heads": 8, "head_size": 64, "window": 256,
         "streams": 4}
TRAINING = {"length": 4096, "batch": 1, "warmup": 100, "seed": 0}
RUN = {"steps": 1000, "save_every": 100, "validate_every": 50, "sample": 400}
QUICK = {"dim": 32, "depth": 1, "heads": 2, "head_size": 16, "window": 16,
         "streams": 2, "length": 64, "batch": 4, "warmup": 4, "lr": 1e-2, "steps": 20,
         "save_every": 10, "validate_every": 10, "sample": 20}
HELP = {"streams": "residual streams (hyper-connections), 1 for none",
        "length": "tokens of a sequence, a multiple of --window",
        "batch": "sequences of a step", "warmup": "steps until --lr is reached",
        "sample": "bytes to write at the end",
        "steps": "the last step, counted from the beginning"}
FORMAT = "lattn-train-bytes-1"  # one entry: the order of several is random
PIECES = 8  # sequences of the held-out text


class Problem(Exception):
    """A problem that the user can solve."""


# ---- Options ----------------------------------------------------------------


def number(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a number >= 1, got {value}")
    return value


def rate(text):
    value = float(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number > 0, got {value}")
    return value


def parse(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in (MODEL | TRAINING | RUN).items():
        parser.add_argument(
            "--" + name.replace("_", "-"), default=value, metavar="N",
            type=int if name == "seed" else number,
            help=f"{HELP.get(name, '')} (default: {value})".strip())
    parser.add_argument("--lr", type=rate, default=3e-4,
                        help="AdamW's learning rate (default: 3e-4)")
    parser.add_argument("--folder", type=pathlib.Path, default="train_bytes",
                        help="where files go (default: train_bytes)")
    parser.add_argument("--text", type=pathlib.Path, metavar="FOLDER",
                        default=sysconfig.get_path("stdlib"),
                        help="trains on its .py files (default: the standard library)")
    parser.add_argument("--resume", action="store_true",
                        help="goes on from the checkpoint in --folder")
    parser.add_argument("--package", action="store_true",
                        help="trains the local-attention package's module")
    parser.add_argument("--beside", type=pathlib.Path, metavar="FOLDER",
                        help="compares with the curve in this folder")
    parser.add_argument("--threads", type=number,
                        help="of lattn and torch (default: theirs)")
    parser.add_argument("--quick", action="store_true",
                        help="a tiny model and few steps, where no option says other")
    if parser.parse_known_args(arguments)[0].quick:
        parser.set_defaults(**QUICK)
    options = parser.parse_args(arguments)
    if options.length % options.window:
        parser.error(f"--length: expected a multiple of --window {options.window}, "
                     f"got {options.length}")
    if options.head_size % 2:
        parser.error("--head-size: expected an even number (rotary embeddings), got "
                     f"{options.head_size}")
    if options.sample >= options.length:
        parser.error(f"--sample: expected less than --length {options.length}, got "
                     f"{options.sample}")
    return options


def configuration(options, text):
    chosen = {name: getattr(options, name) for name in
              (*MODEL, *TRAINING, "lr", "package")}
    digest = hashlib.sha256(b"".join(x.numpy().tobytes() for x in text))
    return chosen | {"text": digest.hexdigest()[:16]}


def check_same(path, found, expected):
    """Throws where configurations differ."""
    wrong = [f"{name} {found.get(name)}, and this run has {value}"
             for name, value in expected.items() if found.get(name) != value]
    if wrong:
        raise Problem(f"{path} was trained with {'; '.join(wrong)}")


# ---- Text -------------------------------------------------------------------


def read_text(folder, length):
    """Bytes to train on, and those of every tenth file, which are held out."""
    if not folder.is_dir():
        raise Problem(f"--text: expected a folder with .py files, {folder} is a file"
                      if folder.exists() else f"--text: there is no folder {folder}")
    skipped = {"site-packages", "dist-packages", "test", "tests"}
    paths = sorted((path.relative_to(folder).as_posix(), path)
                   for path in folder.rglob("*.py"))
    parts = bytearray(), bytearray()
    kept = [path for name, path in paths if not skipped & set(name.split("/"))]
    for i, path in enumerate(kept):
        parts[i % 10 == 9].extend(path.read_bytes())
    for name, part in zip(("text to train on", "held-out text"), parts):
        if len(part) <= length:
            raise Problem(f"--text: {folder} has {len(kept)} .py files with "
                          f"{len(part):,} bytes of {name}; --length {length} needs "
                          f"more than {length:,}")
    return [torch.frombuffer(part, dtype=torch.uint8) for part in parts]


def cut(text, starts, length):
    return torch.stack([text[i:i + length + 1] for i in starts]).long()


def make_batch(text, step, options):
    generator = torch.Generator().manual_seed(options.seed * 1_000_003 + step)
    starts = torch.randint(len(text) - options.length, (options.batch,),
                           generator=generator)
    return cut(text, starts, options.length)


@torch.no_grad()
def validate(model, text, options):
    starts = torch.linspace(0, len(text) - options.length - 1, PIECES).long()
    model.eval()
    losses = [model(cut(text, [i], options.length), return_loss=True).item()
              for i in starts]
    model.train()
    return sum(losses) / len(losses)


# ---- Files ------------------------------------------------------------------


@contextlib.contextmanager
def whole(path):
    """The path of a file to write, which becomes `path` where nothing fails."""
    file, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(file)
    try:
        yield name
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def import_safetensors():
    try:
        import safetensors.torch
    except ImportError:
        raise Problem("safetensors is not installed: scripts/setup torch, or "
                      "pip install safetensors") from None
    return safetensors


class Run:
    """A model, its optimizer and the curve so far: what a checkpoint holds."""

    def __init__(self, options, text):
        self.options, self.path = options, options.folder / "checkpoint.safetensors"
        self.configuration = configuration(options, text)
        self.model = make_model(options)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=options.lr,
                                           weight_decay=0.1, fused=True)
        self.losses, self.validation = [], []  # validation: (step, loss)

    def save(self):
        st = import_safetensors()
        tensors = {f"model.{name}": x for name, x in self.model.state_dict().items()}
        names = [name for name, _ in self.model.named_parameters()]
        for i, state in self.optimizer.state_dict()["state"].items():
            for key, x in state.items():
                tensors[f"optimizer.{key}.{names[i]}"] = x
        tensors["curve.loss"] = torch.tensor(self.losses, dtype=torch.float64)
        tensors["curve.validation"] = torch.tensor(
            self.validation, dtype=torch.float64).view(-1, 2)
        try:
            with whole(self.path) as path:
                st.torch.save_file(
                    {name: x.contiguous() for name, x in tensors.items()}, path,
                    {FORMAT: json.dumps(self.configuration)})
        except st.SafetensorError as error:
            raise Problem(f"{self.path}: {error}") from None
        curve = {"configuration": self.configuration, "loss": self.losses,
                 "validation": self.validation}
        with whole(self.options.folder / "curve.json") as path:
            pathlib.Path(path).write_text(json.dumps(curve) + "\n")

    def load(self):
        st = import_safetensors()
        if not self.path.exists():
            raise Problem(f"--resume: there is no {self.path}")
        try:
            with st.safe_open(self.path, "pt") as file:
                metadata = file.metadata() or {}
                tensors = {name: file.get_tensor(name) for name in file.keys()}
            if FORMAT not in metadata:
                raise ValueError(f"expected {FORMAT} in its metadata, got "
                                 f"{', '.join(metadata) or 'none'}")
            found = json.loads(metadata[FORMAT])
        except (st.SafetensorError, KeyError, ValueError) as error:
            raise Problem(f"{self.path} is no checkpoint: {error}") from None
        check_same(self.path, found, self.configuration)
        try:
            self._take(tensors)
        except (KeyError, ValueError, RuntimeError) as error:
            raise Problem(f"{self.path} is no checkpoint: {error}") from None

    def _take(self, tensors):
        def part(prefix):
            return {name[len(prefix):]: x for name, x in tensors.items()
                    if name.startswith(prefix)}
        self.model.load_state_dict(part("model."))
        keys = "step", "exp_avg", "exp_avg_sq"
        state = {i: {key: tensors[f"optimizer.{key}.{name}"] for key in keys}
                 for i, (name, _) in enumerate(self.model.named_parameters())}
        for p, of_p in zip(self.model.parameters(), state.values()):
            for key in keys[1:]:
                if of_p[key].shape != p.shape:
                    raise ValueError(f"optimizer.{key}: expected shape "
                                     f"{tuple(p.shape)}, got {tuple(of_p[key].shape)}")
        self.optimizer.load_state_dict(self.optimizer.state_dict() | {"state": state})
        self.losses = tensors["curve.loss"].tolist()
        self.validation = [(int(step), loss) for step, loss in
                           tensors["curve.validation"].tolist()]


# ---- Training ---------------------------------------------------------------


def make_model(o):
    from lattn import nn
    random.seed(o.seed)  # hyper-connections draw from it
    torch.manual_seed(o.seed)
    arguments = dict(
        num_tokens=256, max_seq_len=o.length, dim=o.dim, depth=o.depth, heads=o.heads,
        dim_head=o.head_size, local_attn_window_size=o.window,
        num_residual_streams=o.streams)
    model = nn.LocalTransformer(**arguments)
    if not o.package:
        return model
    try:
        from local_attention import LocalTransformer
    except ImportError:
        raise Problem("--package: local-attention is not installed: "
                      "pip install local-attention==1.11.2") from None
    theirs = LocalTransformer(**arguments)
    theirs.load_state_dict(model.state_dict())
    return theirs


class Progress:
    """A bar where somebody looks at it, else a line every ten steps."""

    def __init__(self, done, options):
        self.steps, self.tokens = options.steps, options.batch * options.length
        self.first, self.begin = done, time.perf_counter()
        self.bar = tqdm(
            total=self.steps * self.tokens, initial=done * self.tokens,
            unit=" tokens", unit_scale=True, dynamic_ncols=True
        ) if tqdm is not None and sys.stderr.isatty() else None

    def show(self, step, loss):
        if self.bar is not None:
            self.bar.set_postfix_str(f"step {step}, loss {loss:.3f}", refresh=False)
            self.bar.update(self.tokens)
        elif step % 10 == 0 or step == self.steps:
            speed = (step - self.first) * self.tokens / (
                time.perf_counter() - self.begin)
            self.say(f"step {step:5d}  loss {loss:.3f}  {speed:,.0f} tokens/s")

    def say(self, line):
        if self.bar is not None:
            self.bar.write(line)
        else:
            print(line, flush=True)

    def close(self):
        if self.bar is not None:
            self.bar.close()


@contextlib.contextmanager
def interrupts():
    """A list that the first Ctrl-C fills; the second ends the program at once."""
    asked = []

    def ask(number, frame):
        if asked:
            raise KeyboardInterrupt
        asked.append(number)
    before = {number: signal.signal(number, ask)
              for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def train_step(run, text, step):
    """The loss of step number `step`, counted from 1."""
    for group in run.optimizer.param_groups:
        group["lr"] = run.options.lr * min(1.0, step / run.options.warmup)
    loss = run.model(make_batch(text, step, run.options), return_loss=True)
    run.optimizer.zero_grad()
    loss.backward()
    if not math.isfinite(loss.item()):
        raise Problem(f"step {step}: the loss is {loss.item()}: try a smaller --lr")
    run.optimizer.step()
    return loss.item()


def train(run, text, held_out):
    """Whether it came to the last step."""
    options, done = run.options, len(run.losses)
    progress = Progress(done, options)
    with interrupts() as asked, contextlib.closing(progress):
        for step in range(done + 1, options.steps + 1):
            run.losses.append(train_step(run, text, step))
            progress.show(step, run.losses[-1])
            if step % options.validate_every == 0:
                run.validation.append((step, validate(run.model, held_out, options)))
                progress.say(f"step {step:5d}  loss of held-out text "
                             f"{run.validation[-1][1]:.3f}")
            if asked or step % options.save_every == 0 or step == options.steps:
                run.save()
            if asked:
                progress.say(f"stopped after step {step}; --resume goes on")
                return False
    return True


# ---- Results ----------------------------------------------------------------


def read_curve(folder, configuration):
    """The curve of another run, which must have the same configuration."""
    path = folder / "curve.json"
    try:
        curve = json.loads(path.read_text())
        if not all(isinstance(x, float) for x in curve["loss"]):
            raise ValueError("loss: expected numbers")
        found = dict(curve["configuration"])
        title(found)
    except (KeyError, TypeError, ValueError) as error:
        raise Problem(f"--beside: {path} is no curve: {error!r}") from None
    except OSError as error:
        raise Problem(f"--beside: {error}") from None
    check_same(path, found, {name: x for name, x in configuration.items()
                             if name != "package"})
    return curve


def gaps(run, other):
    """How far two curves are apart at each step of both."""
    return [abs(a - b) for a, b in zip(run.losses, other["loss"])]


def title(configuration):
    return "local-attention package" if configuration["package"] else "lattn.nn"


def draw(run, other):
    """curve.svg."""
    if picture.find_matplotlib() is None:
        print("no picture: matplotlib is not installed")
        return
    given = other and picture.Curve(title(other["configuration"]), other["loss"])
    own = picture.Curve(title(run.configuration), run.losses, run.validation)
    with whole(run.options.folder / "curve.svg") as path:
        picture.draw(path, own, given, gaps(run, other) if other else [],
                     f"step of {run.options.batch * run.options.length:,} bytes")


def sample(model, options):
    torch.manual_seed(options.seed)
    prime = torch.tensor([list(b"def ")[:options.length - options.sample]])
    # Decoding with the package's cache computes other numbers than without it.
    written = model.generate(prime, options.sample, temperature=0.8,
                             use_kv_cache=not options.package)
    print(bytes(prime[0].tolist() + written[0].tolist()).decode(errors="replace"))


def work(options):
    if options.threads:
        import lattn
        lattn.set_num_threads(options.threads)
        torch.set_num_threads(options.threads)
    import_safetensors()
    text, held_out = read_text(options.text, options.length)
    run = Run(options, (text, held_out))
    if options.resume:
        run.load()
    elif run.path.exists():
        raise Problem(f"there is a checkpoint in {options.folder}: go on with "
                      "--resume, or choose another --folder")
    if len(run.losses) > options.steps:
        raise Problem(f"--steps: {run.path} is at step {len(run.losses)}, beyond "
                      f"{options.steps}")
    other = options.beside and read_curve(options.beside, run.configuration)
    options.folder.mkdir(parents=True, exist_ok=True)
    print(f"{len(text):,} bytes of text, {len(held_out):,} held out; "
          f"{sum(p.numel() for p in run.model.parameters()):,} parameters", flush=True)
    finished = train(run, text, held_out)
    if other and (apart := gaps(run, other)):
        print(f"{len(apart)} steps of both: losses differ by at most {max(apart):.1e}")
    draw(run, other)
    if not finished:
        return 130
    sample(run.model, options)
    return 0


def main(arguments=None):
    """The exit code."""
    options = parse(arguments)
    try:
        return work(options)
    except (Problem, OSError) as problem:
        print(f"train_bytes.py: error: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
