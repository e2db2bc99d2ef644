# debugger.py - the `stalemate` commands inside gdb.
#
# gdb runs this when `stalemate replay --gdb` starts it (debugger.c). All that is known about the
# execution is known to the driver: a command is a line to it, its answer a word that says what to
# do with the program, and text. The program stops in the runtime's sm_debug_stop; what is shown is
# the user's frame above it.
import os

import gdb

REQUESTS, ANSWERS = int(os.environ["STALEMATE_REQUESTS"]), int(os.environ["STALEMATE_ANSWERS"])

COMMANDS = {
    "story": "What happened in this execution.",
    "where": "The event that the program is at.",
    "next-lie": "Run on to the next read that saw another value than the newest.",
    "why": "stalemate why [N]: why the read at event N (the last one) may see what it saw.",
    "back": "stalemate back [N]: run again to event N; without N to the store that the read at hand "
            "saw, or to the lie before.",
    "goto": "stalemate goto N: run on, or again, to event N.",
}


def ask(request):
    os.write(REQUESTS, request.encode() + b"\n")
    answer = b""
    while not answer.endswith(b"\0"):
        answer += os.read(ANSWERS, 65536)
    action, _, text = answer[:-1].decode("utf-8", "replace").partition("\n")
    return action, text


def say(text):
    if text:
        print(text.rstrip("\n"))


def is_runtime(frame):
    return "stalemate_rt" in (gdb.solib_name(frame.pc()) or "") or frame.name() in (
        "sm_debug_stop", "sm_end")


def is_users(frame):
    sal = frame.find_sal()
    name = sal.symtab.fullname() if sal.symtab else ""
    return bool(name) and not is_runtime(frame) and not name.startswith(("/usr/", "./", "../")) \
        and os.path.exists(name)


def show_users_frame():
    frame = gdb.newest_frame()
    while frame and not is_users(frame):
        frame = frame.older()
    if frame:
        frame.select()


def name_threads():
    names = ask("threads")[1].split("\n")
    for thread in gdb.selected_inferior().threads():
        if thread.num <= len(names) and names[thread.num - 1]:
            thread.name = names[thread.num - 1]


def is_ours(event):
    """The program has come to an event, to its end, or died."""
    if isinstance(event, gdb.SignalEvent):
        ask("signal")
        return event.stop_signal not in ("SIGINT", "SIGSTOP", "SIGTRAP")
    return gdb.newest_frame().name() == "sm_debug_stop"


def stopped(event):
    try:
        name_threads()
        if is_ours(event):
            show_users_frame()
            say(ask("where")[1])
            gdb.execute("frame")
    except gdb.error:
        pass  # a stop without frames: nothing to show


def start(process):
    gdb.execute("attach " + process, to_string=True)
    gdb.execute("tcatch exec", to_string=True)
    gdb.execute("continue", to_string=True)
    gdb.execute("continue")


def run_again():
    if gdb.selected_inferior().pid:
        gdb.execute("kill", to_string=True)
    start(ask("restart")[1])


class Stalemate(gdb.Command):
    """The execution that is replayed: story, where, next-lie, why, back, goto."""

    def __init__(self):
        super().__init__("stalemate", gdb.COMMAND_RUNNING, prefix=True)


class Request(gdb.Command):
    def __init__(self, word):
        self.__doc__ = COMMANDS[word]
        self.word = word
        super().__init__("stalemate " + word, gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        action, text = ask((self.word + " " + argument).strip())
        say(text)
        if action == "continue":
            gdb.execute("continue")
        elif action == "again":
            run_again()


# Names of threads have a middle dot, which gdb refuses in the C locale of a new Debian.
gdb.execute("set host-charset UTF-8", to_string=True)
Stalemate()
for command in COMMANDS:
    Request(command)
gdb.events.stop.connect(stopped)
gdb.execute("break sm_debug_stop", to_string=True)
start(ask("process")[1])
