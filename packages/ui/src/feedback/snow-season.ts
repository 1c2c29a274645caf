/** Does it snow behind modals on this day? From 1 December to 6 January, by the person's own calendar (R014). */
export function isSnowSeason(day: Date): boolean {
  return day.getMonth() === 11 || (day.getMonth() === 0 && day.getDate() <= 6)
}
