/** The embedded database cannot run here as things are; the message says why and what to do, for an operator. */
export class EmbeddedServerError extends Error {
  override name = 'EmbeddedServerError'
}
