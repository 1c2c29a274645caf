type Handler = (error: Error) => void

let handler: Handler = () => {}

/** What to do when the server no longer takes the token. Set once by the start-up. */
export function onSessionEnd(handle: Handler): void {
  handler = handle
}

export function sessionEnded(error: Error): void {
  handler(error)
}
