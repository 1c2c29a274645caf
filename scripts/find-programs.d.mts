export function unpackedFolder(): string
export function lookForChromium(): string | undefined
