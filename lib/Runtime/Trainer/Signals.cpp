//===- Signals.cpp - SIGINT and SIGTERM as a question ---------------------===//
//
// A flag that a handler may set; the one variable of this library with static
// lifetime, because a handler gets no argument.
//
//===----------------------------------------------------------------------===//

#include "amp/Runtime/Trainer/Signals.h"
#include <csignal>

static volatile std::sig_atomic_t stopFlag = 0;

extern "C" {
static void requestStop(int) { stopFlag = 1; }
}

void amp::runtime::watchSignals() {
  struct sigaction action = {};
  action.sa_handler = requestStop;
  sigemptyset(&action.sa_mask);
  // SA_RESETHAND: the second signal meets the default action and ends the
  // process. SA_RESTART: no system call of a library fails by the first.
  action.sa_flags = int(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A closed pipe shows as a failed write, which has a message.
  signal(SIGPIPE, SIG_IGN);
  // So does a file that reaches the limit of its size.
  signal(SIGXFSZ, SIG_IGN);
}

bool amp::runtime::stopRequested() { return stopFlag != 0; }
