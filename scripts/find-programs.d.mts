export function unpackedFolder(): string
