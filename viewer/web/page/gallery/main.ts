// Searching in the gallery. Without JavaScript, all cards are there.

const search = document.querySelector<HTMLInputElement>("#search");
const count = document.querySelector("#count");
const cards = [...document.querySelectorAll<HTMLElement>(".cards > li")];
const none = document.querySelector<HTMLElement>("#none");
/** What a card says, and the words of its files. */
const texts = cards.map((card) => `${card.textContent ?? ""} ${card.dataset["words"] ?? ""}`.toLowerCase());

/** `flocks` finds a flock, too. */
function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}

function show(): void {
  const words = (search?.value ?? "").toLowerCase().split(/\s+/).filter((word) => word !== "").map(singular);
  cards.forEach((card, index) => {
    card.hidden = !words.every((word) => texts[index]?.includes(word));
  });
  for (const section of document.querySelectorAll("main section")) {
    (section as HTMLElement).hidden = section.querySelector(".cards > li:not([hidden])") === null;
  }
  const shown = cards.filter((card) => !card.hidden).length;
  if (none !== null) {
    none.hidden = shown > 0;
  }
  if (count !== null) {
    count.textContent = words.length === 0 ? `${shown} worlds` : `${shown} of ${cards.length} worlds`;
  }
}

if (search !== null) {
  search.hidden = false;
  search.addEventListener("input", show);
  for (const suggestion of none?.querySelectorAll("button") ?? []) {
    suggestion.addEventListener("click", () => {
      search.value = suggestion.textContent ?? "";
      show();
      search.focus();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== search) {
      event.preventDefault();
      search.focus();
    }
  });
  // Firefox keeps what was typed when the page is opened again.
  show();
}
