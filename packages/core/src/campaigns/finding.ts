/** One thing the check found. `field`: where to mend it; `message_id` leads to the template's editor. */
export interface Finding {
  code: string
  field: string
  message: string
}
