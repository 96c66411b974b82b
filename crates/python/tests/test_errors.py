"""Bad input, wrong types, closed files, Ctrl-C, threads and forks."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import nebel
import pytest


def test_sentences_are_those_of_the_command_line(tmp_path):
    (tmp_path / "games.jsonl").write_text('{"nebel":1,"rules":"icc"}\n{"by":"white","attempt":"e2e5","answer":"moved"}\n')
    (tmp_path / "text").write_text("hello\n")
    (tmp_path / "bytes").write_bytes(b"[\xff\xfe]")
    for call, sentence in (
        (lambda: nebel.Umpire("chess"), "rules: unknown rules `chess` (known: berkeley, berkeley-any, icc"),
        (lambda: nebel.Umpire(tmp_path / "no.json"), "No such file"),
        (lambda: nebel.Umpire({"name": "icc"}), "rules: not a ruleset"),
        (lambda: nebel.Umpire(fen="8/8/8/8/8/8/8/K7 w - - 0 1"), "no black king"),
        (lambda: nebel.Umpire().view("red"), "side: `red` is neither white nor black"),
        (lambda: nebel.read(tmp_path / "none"), "No such file"),
        (lambda: nebel.read(tmp_path), "directory"),
        (lambda: nebel.read(tmp_path / "games.jsonl"), "line 2: "),
        (lambda: nebel.read(tmp_path / "text"), "neither JSON Lines"),
        (lambda: nebel.read(tmp_path / "bytes"), "not UTF-8"),
        (lambda: nebel.write(tmp_path / "no" / "file", []), "No such file"),
        (lambda: nebel.Event.from_dict({"by": "white"}), "event without an answer"),
        (lambda: nebel.Belief("white").hear({"by": "black", "answer": "moved"}), "turn"),
        (lambda: nebel.Belief("white", particles=0), "particles: at least 1"),
        (lambda: nebel.Belief("white").odds("hello"), "not an attempt"),
        (lambda: nebel.solve([], 1), "positions: no position"),
        (lambda: nebel.solve(["7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "nonsense"], 1), "position 2: fen: wrong FEN `nonsense`"),
        (lambda: nebel.solve(["7k/8/5KQ1/8/8/8/8/8 b - - 0 1"], 1), "position 1: Black is to move"),
        (lambda: nebel.solve(["7k/8/5KQ1/8/8/8/8/8 w - - 0 1"], 10**6), "plies: "),
        (lambda: nebel.solve(["7k/8/5KQ1/8/8/8/8/8 w - - 0 1"], 1, algorithm="magic"), "algorithm: "),
        (lambda: nebel.solve(["7k/8/5KQ1/8/8/8/8/8 w - - 0 1"], 1, time=-1), "time: -1 is no number of seconds"),
        (lambda: nebel.solve(["7k/8/5KQ1/8/8/8/8/8 w - - 0 1"], 1, tables=tmp_path / "no"), "there is no directory"),
        (lambda: nebel.verify({"try": 1}, ["7k/8/5KQ1/8/8/8/8/8 w - - 0 1"], 1), "strategy: "),
        (lambda: nebel.tables.probe("Kc3 Xa1", "all"), "men: "),
        (lambda: nebel.tables.probe("Kc3 Ra1", "z9"), "king: `z9` is no square"),
        (lambda: nebel.tables.probe("Kc3 Ra1", ""), "king: no square is given"),
        (lambda: nebel.tables.build("KXK", dir=tmp_path), "KXK"),
        (lambda: nebel.tables.build("KRK", dir=tmp_path, threads=0), "threads: at least 1"),
        (lambda: nebel.player("c:no=1"), "player `c`"),
        (lambda: nebel.action_of("hello"), "`hello` is not an attempt"),
        (lambda: nebel.attempt_of(99_999, "white"), "99999 is no action"),
        (lambda: nebel.Transcript.of_jsonl(nebel.Umpire().view("white").to_jsonl()), "one side's view"),
        (lambda: nebel.match("random", "random", games=2, store=tmp_path / "text", progress=False), "text"),
    ):
        with pytest.raises(nebel.InputError) as raised:
            call()
        assert sentence in str(raised.value), (sentence, str(raised.value))
        assert "\n" not in str(raised.value)
    umpire = nebel.Umpire()
    umpire.resign()
    for call in (lambda: umpire.attempt("e2e4"), umpire.ask, umpire.resign):
        with pytest.raises(nebel.InputError, match="the game is over: "):
            call()
    assert umpire.sensible() == [] and issubclass(nebel.InputError, ValueError) and issubclass(nebel.RunError, RuntimeError)


def test_wrong_types_are_told():
    closed = open(os.devnull)
    closed.close()
    for call in (
        lambda: nebel.Umpire(3),
        lambda: nebel.Umpire(fen=3),
        lambda: nebel.Umpire().attempt(None),
        lambda: nebel.Umpire().attempt(1.5),
        lambda: nebel.Umpire().view(None),
        lambda: nebel.Belief(None),
        lambda: nebel.Belief("white").hear("e2e4"),
        lambda: nebel.Belief("white").sample("many"),
        lambda: nebel.read(closed),
        lambda: nebel.write("games.pgn", [closed]),
        lambda: nebel.solve("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 1),
        lambda: nebel.solve([3], 1),
        lambda: nebel.tables.probe("Kc3 Ra1", 3),
        lambda: nebel.player(None),
        lambda: nebel.match(None, "random"),
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(nebel.InputError, match="-1 is no action"):
        nebel.Umpire().attempt(-1)


LONG = {
    "solve": 'nebel.solve(["8/8/8/3k4/8/8/8/KR6 w - - 0 1", "8/8/3k4/8/8/8/8/KR6 w - - 0 1"], 41)',
    "belief": "nebel.Belief.of_view(view, limit=10**9)",
    "choose": "player.choose(time=60)",
    "build": "nebel.tables.build('KBNK', dir=folder)",
    "probe": "nebel.tables.probe('Kc3 Ba1 Nb1', 'all', dir=folder, time=600)",
    "match": "nebel.match('c', 'c', games=100, move_time=30, jobs=2, progress=False)",
    "python match": "nebel.match(Slow, 'random', games=100, progress=False)",
}
PROGRAM = """
import signal, sys, tempfile, threading, time
import nebel
folder = tempfile.mkdtemp()
umpire = nebel.Umpire()
for attempt in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5", "a4b3", "d7d6", "c2c3", "e8g8"]:
    umpire.attempt(attempt)
view = umpire.view("white")
player = nebel.player("c")
player.start("white")
class Slow(nebel.Player):
    def start(self, side, rules, fen, seed): pass
    def hear(self, event): pass
    def choose(self, time=None, nodes=None):
        while True: pass
"""


@pytest.mark.parametrize("what", list(LONG))
def test_ctrl_c_ends_a_long_call_within_a_second(what):
    program = PROGRAM + textwrap.dedent(f"""
        def press():
            time.sleep(0.7)
            pressed.append(time.monotonic())
            signal.raise_signal(signal.SIGINT)
        pressed = []
        threading.Thread(target=press, daemon=True).start()
        try:
            {LONG[what]}
        except KeyboardInterrupt:
            print("stopped after", time.monotonic() - pressed[0])
        else:
            print("came to its end")
        # What was stopped goes on afterwards.
        assert len(nebel.Umpire().sensible()) == 34
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout.startswith("stopped after"), done.stdout + done.stderr
    # A second on a machine with nothing else to do; others may want its processors.
    load = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    assert float(done.stdout.split()[-1]) < load, done.stdout


def test_threads_share_objects_and_run_at_once():
    umpire = nebel.Umpire()
    belief = nebel.Belief("white")
    for attempt in ["e2e4", "e7e5", "g1f3", "b8c6"]:
        belief.hear(umpire.attempt(attempt))
    games = nebel.VectorUmpire(16)
    player = nebel.player("greedy")
    player.start("white")
    wanted = belief.fens()
    faults = []

    def work():
        try:
            for _ in range(20):
                assert belief.fens() == wanted and len(belief.keys()) == len(wanted)
                games.step(games.sample())
                other = umpire.copy()
                other.attempt(other.sensible()[0])
                assert player.choose(nodes=10)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults, faults


def test_other_threads_go_on_during_a_long_call():
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    nebel.solve(["8/8/8/3k4/8/8/8/KR6 w - - 0 1"], 41, time=0.5)
    done.set()
    thread.join()
    assert counted > 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_child_can_do_everything(tmp_path):
    games = nebel.VectorUmpire(8, 4, seed=1)
    belief = nebel.Belief("white")
    belief.hear({"by": "white", "attempt": "e2e4", "answer": "moved", "tries": {"count": 0}})
    nebel.tables.build("KRK", dir=tmp_path)
    for _ in range(3):
        games.step(games.sample())
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            for _ in range(3):
                games.step(games.sample())
            belief.hear({"by": "black", "answer": "moved", "tries": {"count": 1}})
            assert len(belief) == 2
            assert nebel.tables.probe("Kc3 Ra1", "all", dir=tmp_path)["mate_in"] == 25
            assert nebel.match("greedy", "random", games=2, jobs=2, max_moves=5, progress=False).games == 2
            os._exit(0)
        except BaseException:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    games.step(games.sample())
