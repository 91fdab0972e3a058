//===- Spawn.h - Running the trainer program --------------------*- C++ -*-===//
//
// Starts the program with its output in files, waits or kills, and tells how
// it ended.
//
//===----------------------------------------------------------------------===//

#ifndef AMP_TEST_UNIT_TRAINER_SPAWN_H
#define AMP_TEST_UNIT_TRAINER_SPAWN_H

#include "TempFolder.h"
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace amp::test {

/// How a process ended: an exit code, or minus the signal.
struct Ended {
  int code = 0;
  std::string out, err;
};

/// A running program.
class Process {
public:
  Process(const TempFolder &folder, std::vector<std::string> arguments)
      : outPath(folder / "stdout"), errPath(folder / "stderr") {
    std::vector<char *> argv;
    for (std::string &argument : arguments)
      argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, 1, outPath.c_str(), flags, 0666);
    posix_spawn_file_actions_addopen(&actions, 2, errPath.c_str(), flags, 0666);
    if (posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ))
      pid = -1;
    posix_spawn_file_actions_destroy(&actions);
  }

  void signal(int number) const { ::kill(pid, number); }

  /// True until the process has ended.
  bool running() const {
    siginfo_t info = {};
    return ::waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) ==
               0 &&
           info.si_pid == 0;
  }

  Ended wait() const {
    Ended ended;
    int status = 0;
    ::waitpid(pid, &status, 0);
    ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    ended.out = readFile(outPath);
    ended.err = readFile(errPath);
    return ended;
  }

private:
  std::string outPath, errPath;
  pid_t pid = -1;
};

} // namespace amp::test

#endif // AMP_TEST_UNIT_TRAINER_SPAWN_H
