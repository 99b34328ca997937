# The formula for Homebrew. The release fills in what is between double braces.
class Flockwork < Formula
  desc "Scriptable, bit-exact runner for steering agents, with golden tests"
  homepage "{{address}}"
  version "{{version}}"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "{{download}}/flockwork-aarch64-apple-darwin.tar.gz"
      sha256 "{{sha256 flockwork-aarch64-apple-darwin.tar.gz}}"
    end
    on_intel do
      url "{{download}}/flockwork-x86_64-apple-darwin.tar.gz"
      sha256 "{{sha256 flockwork-x86_64-apple-darwin.tar.gz}}"
    end
  end
  on_linux do
    on_arm do
      url "{{download}}/flockwork-aarch64-unknown-linux-musl.tar.gz"
      sha256 "{{sha256 flockwork-aarch64-unknown-linux-musl.tar.gz}}"
    end
    on_intel do
      url "{{download}}/flockwork-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "{{sha256 flockwork-x86_64-unknown-linux-gnu.tar.gz}}"
    end
  end

  def install
    bin.install "flockwork"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/flockwork.bash" => "flockwork"
    zsh_completion.install "completions/_flockwork"
    fish_completion.install "completions/flockwork.fish"
    pkgshare.install "scenarios", "scripts"
  end

  test do
    system bin/"flockwork", "new", "meadow"
    system bin/"flockwork", "test", testpath/"meadow"
  end
end
