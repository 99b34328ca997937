// Rhai and RON look enough like Rust for its colors; highlight.js knows neither.
for (const block of document.querySelectorAll("code.language-rhai, code.language-ron")) {
    const html = hljs.highlight(block.textContent, { language: "rust", ignoreIllegals: true });
    block.innerHTML = html.value;
    block.classList.add("hljs");
}
