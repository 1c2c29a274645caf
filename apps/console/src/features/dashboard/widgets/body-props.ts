export interface BodyProps {
  /** Response of the server; each widget type parses its own. */
  data: unknown
  /** Height of the widget in grid rows. */
  rows: number
  title: string
  /** Shown by a share link, without a session: no links into the console. */
  isShared: boolean
}
