/** Thrown if the embedded database cannot run here; the message tells operators why and what to do. */
export class EmbeddedServerError extends Error {
  override name = 'EmbeddedServerError'
}
