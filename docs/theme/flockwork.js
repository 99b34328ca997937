// Rhai and RON look enough like Rust for its colors; highlight.js knows neither.
for (const block of document.querySelectorAll("code.language-rhai, code.language-ron")) {
    block.innerHTML = hljs.highlight("rust", block.textContent, true).value;
    block.classList.add("hljs");
}
