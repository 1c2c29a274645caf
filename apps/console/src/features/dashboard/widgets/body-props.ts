export interface BodyProps {
  /** As the server answered; each kind reads its own. */
  data: unknown
  /** Rows of the grid the widget has. */
  rows: number
  title: string
  /** Seen by somebody without a session: nothing leads into the console. */
  isShared: boolean
}
