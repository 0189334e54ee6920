//===- PTXAssemblerTest.cpp - Finding and running ptxas -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/PTXAssembler.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <map>

using namespace lattn;
namespace fs = llvm::sys::fs;

namespace {

const char *const kPtx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry attend()
{
  .shared .align 4 .b8 tile[512];
  .reg .b32 %r<2>;
  mov.u32 %r1, %tid.x;
  st.shared.u32 [tile], %r1;
  bar.sync 0;
  ret;
}
)";

class PTXAssemblerTest : public ::testing::Test {
protected:
  void SetUp() override {
    for (const char *name :
         {"LATTN_PTXAS", "PATH", "CUDA_HOME", "VIRTUAL_ENV", "TMPDIR"}) {
      const char *value = getenv(name);
      environment[name] = value ? value : "";
    }
    unsetenv("LATTN_PTXAS");
    ASSERT_FALSE(fs::createUniqueDirectory("lattn-ptxas", folder));
  }
  void TearDown() override {
    fs::remove_directories(folder);
    for (auto &[name, value] : environment)
      value.empty() ? unsetenv(name.c_str())
                    : setenv(name.c_str(), value.c_str(), 1);
  }

  /// A script in the folder `inner` that stands in for ptxas.
  std::string writeScript(llvm::StringRef inner, llvm::StringRef text) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, inner);
    EXPECT_FALSE(fs::create_directories(path));
    llvm::sys::path::append(path, "ptxas");
    {
      std::error_code code;
      llvm::raw_fd_ostream os(path, code);
      os << "#!/bin/sh\n" << text;
    }
    EXPECT_FALSE(fs::setPermissions(path, fs::perms::all_all));
    return path.str().str();
  }
  static std::string getText(llvm::Error error) {
    return error ? llvm::toString(std::move(error)) : "none";
  }
  template <typename T> static std::string getText(llvm::Expected<T> result) {
    return getText(result.takeError());
  }
  /// The error of assembling by a script, or "none".
  std::string assemble(llvm::StringRef text) {
    PTXAssemblerOptions options;
    options.path = writeScript("bin", text);
    return getText(assemblePTX(kPtx, "sm_80", options));
  }

  llvm::SmallString<128> folder;

private:
  std::map<std::string, std::string> environment;
};

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

TEST_F(PTXAssemblerTest, LooksInOrder) {
  std::string packaged =
      writeScript("lib/python3.11/site-packages/nvidia/cu13/bin", "");
  std::string home = writeScript("home/bin", ""), inPath = writeScript("p", "");
  std::string named = writeScript("named", ""), given = writeScript("g", "");
  setenv("PATH", "/nowhere", 1);
  setenv("VIRTUAL_ENV", folder.c_str(), 1);
  auto found = findCUDATool("ptxas");
  ASSERT_TRUE(bool(found));
  if (!fs::exists("/usr/local/cuda/bin/ptxas"))
    EXPECT_EQ(*found, packaged);
  setenv("CUDA_HOME", (folder + "/home").str().c_str(), 1);
  EXPECT_EQ(*findCUDATool("ptxas"), home);
  setenv("PATH", (folder + "/p").str().c_str(), 1);
  EXPECT_EQ(*findCUDATool("ptxas"), inPath);
  setenv("LATTN_PTXAS", named.c_str(), 1);
  EXPECT_EQ(*findCUDATool("ptxas"), named);
  EXPECT_EQ(*findCUDATool("ptxas", given), given);
}

TEST_F(PTXAssemblerTest, NotFound) {
  setenv("PATH", "/nowhere", 1);
  setenv("CUDA_HOME", "/no/cuda", 1);
  fs::create_directories(folder +
                         "/lib/python3.9/site-packages/nvidia/cu13/bin");
  setenv("VIRTUAL_ENV", folder.c_str(), 1);
  EXPECT_EQ(getText(findCUDATool("ptxos")),
            "ptxos not found: looked in PATH, /no/cuda/bin, "
            "/usr/local/cuda/bin, " +
                folder.str().str() +
                "/lib/python3.9/site-packages/nvidia/cu13/bin");
  // What is named is not looked for elsewhere.
  setenv("LATTN_PTXAS", "/no/ptxas", 1);
  EXPECT_EQ(getText(findCUDATool("ptxas")),
            "cannot run '/no/ptxas': No such file or directory");
  EXPECT_EQ(getText(findCUDATool("ptxas", "no-ptxas")),
            "cannot run 'no-ptxas': No such file or directory");
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

TEST_F(PTXAssemblerTest, TakesFilesAndReports) {
  PTXAssemblerOptions options;
  options.arguments = {"--maxrregcount=64"};
  options.path = writeScript("bin", R"(
[ "$*" = "-v -O3 -arch=sm_80 $4 -o $6 --maxrregcount=64" ] || exit 3
printf '\177ELF' > $6; cat "$4" >> $6
echo "ptxas info : Compiling entry function 'attend' for 'sm_80'" >&2
echo "ptxas info : Used 8 registers" >&2
)");
  auto assembled = assemblePTX(kPtx, "sm_80", options);
  ASSERT_TRUE(bool(assembled)) << llvm::toString(assembled.takeError());
  EXPECT_EQ(assembled->cubin, std::string("\177ELF") + kPtx);
  ASSERT_EQ(assembled->report.kernels.size(), 1u);
  EXPECT_EQ(assembled->report.kernels[0].registers, 8);
}

TEST_F(PTXAssemblerTest, NothingIsLeftInTheTemporaryFolder) {
  fs::create_directories(folder + "/tmp");
  setenv("TMPDIR", (folder + "/tmp").str().c_str(), 1);
  EXPECT_EQ(assemble("printf '\\177ELF' > $6"), "none");
  EXPECT_EQ(assemble("exit 1").find("'" + folder.str().str()), 0u);
  std::error_code code;
  fs::directory_iterator it(folder + "/tmp", code), end;
  EXPECT_TRUE(!code && it == end);
  setenv("TMPDIR", (folder + "/gone").str().c_str(), 1);
  EXPECT_EQ(assemble("").find("cannot make a temporary file"), 0u);
}

TEST_F(PTXAssemblerTest, Errors) {
  EXPECT_EQ(assemble(R"(
echo "ptxas info    : 0 bytes gmem" >&2
echo "ptxas $4, line 20; error   : Unknown modifier '.sink'" >&2
echo "ptxas fatal   : Ptx assembly aborted due to errors" >&2
exit 255
)"),
            "ptxas PTX, line 20; error   : Unknown modifier '.sink'\n"
            "ptxas fatal   : Ptx assembly aborted due to errors");
  std::string path = "'" + folder.str().str() + "/bin/ptxas'";
  EXPECT_EQ(assemble("exit 7"), path + " ended with exit code 7");
  EXPECT_EQ(assemble("true"), path + " wrote no cubin");
  EXPECT_EQ(assemble("kill -9 $$").find("cannot run " + path + ": "), 0u);
}

TEST_F(PTXAssemblerTest, TheRealOne) {
  auto program = findCUDATool("ptxas");
  if (!program) {
    llvm::consumeError(program.takeError());
    GTEST_SKIP() << "no ptxas";
  }
  auto assembled = assemblePTX(kPtx, "sm_80");
  ASSERT_TRUE(bool(assembled)) << llvm::toString(assembled.takeError());
  const PTXKernelReport *kernel = assembled->report.find("attend");
  ASSERT_TRUE(kernel);
  EXPECT_GT(kernel->registers, 0);
  EXPECT_EQ(kernel->sharedBytes, 512);
  EXPECT_EQ(kernel->barriers, 1);
  EXPECT_EQ(kernel->spillStoreBytes, 0);
  EXPECT_EQ(getText(assemblePTX("nonsense", "sm_80"))
                .find("ptxas PTX, line 1; fatal   : Missing .version directive "
                      "at start of file 'PTX'"),
            0u);
  EXPECT_EQ(getText(assemblePTX(kPtx, "sm_9000")),
            "ptxas fatal   : Value 'sm_9000' is not defined for option "
            "'gpu-name'");
}

} // namespace
