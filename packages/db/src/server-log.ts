/** Where the embedded server's news go; a pino logger is one. */
export type ServerLog = Record<'debug' | 'info' | 'warn' | 'error', (line: string) => void>

export const silentLog: ServerLog = { debug() {}, info() {}, warn() {}, error() {} }
