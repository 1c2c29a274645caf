/** Logger of the embedded server; a pino logger is one. */
export type ServerLog = Record<'debug' | 'info' | 'warn' | 'error', (line: string) => void>

export const silentLog: ServerLog = { debug() {}, info() {}, warn() {}, error() {} }
