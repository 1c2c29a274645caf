/** The path of a Chromium or Chrome; undefined when there is none and none can be installed. */
export function findChromium(): string | undefined
export function unpackedFolder(): string
export function lookForChromium(): string | undefined
