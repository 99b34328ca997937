// Rhai and RON look enough like Rust for its colors; highlight.js knows neither.
for (const block of document.querySelectorAll("code.language-rhai, code.language-ron")) {
    block.innerHTML = hljs.highlight("rust", block.textContent, true).value;
    block.classList.add("hljs");
}

// Worlds beside examples. The book may be built without them.
if (document.querySelector("flockwork-world")) {
    const script = document.createElement("script");
    script.src = `${path_to_root}web/flockwork.js`;
    document.head.append(script);
}
