// The engine as wasm-bindgen offers it: see `viewer/web/world`. The build puts its module behind this name.

declare module "flockwork-engine" {
  export class World {
    constructor(files: string, scenario: string, options: string);
    setFile(path: string, text: string): void;
    removeFile(path: string): void;
    /** The text of a file as the world has it. */
    file(path: string): string | undefined;
    reload(): string;
    /** Writes the params that were set into the scenario, and returns its text. */
    writeParams(group?: string, name?: string): string | undefined;
    errors(): string;
    name(): string;
    firstTick(): number;
    tick(): number;
    end(): number;
    ticks(): number;
    dt(): number;
    step(): string;
    goTo(tick: number): void;
    hash(): string;
    draw(width: number, height: number, pixelRatio: number): Uint8ClampedArray<ArrayBuffer>;
    fit(): void;
    pan(dx: number, dy: number): void;
    zoom(factor: number, x: number, y: number): void;
    follow(on: boolean): void;
    setDark(on: boolean): void;
    setTrails(on: boolean): void;
    press(key: string, down: boolean): boolean;
    readsCursor(): boolean;
    moveCursor(x?: number, y?: number): void;
    inputs(): string;
    select(id: number | undefined): void;
    selectAt(x: number, y: number): number | undefined;
    selected(): number | undefined;
    /** What the selected agent computes in its next turn. */
    values(): string | undefined;
    explain(): string | undefined;
    params(): string;
    setParam(group: string, name: string, value: string): void;
    switchWeight(group: string, name: string): string;
    onlyWeight(group: string, name: string): string;
    /** Takes over from another world of the same scenario which values its weights come back to. */
    keepSwitches(before: World): void;
    measures(): string;
    messages(): string;
    expectations(): string;
    /** Whether earlier ticks must be judged before `expectations` knows what holds now: ask again. */
    lacksJudgment(): boolean;
    positions(): Float32Array;
    velocities(): Float32Array;
    headings(): Float32Array;
    ids(): Uint32Array;
    groupOf(): Uint16Array;
    groups(): string;
    space(): string;
    recordGolden(reason: string): string;
    compare(golden: string): string;
    static version(): string;
    free(): void;
  }
  export function initSync(options: { module: WebAssembly.Module }): void;
}
