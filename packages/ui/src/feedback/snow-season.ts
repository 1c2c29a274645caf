/** True from 1 December to 6 January, in the user's local date (R014). */
export function isSnowSeason(day: Date): boolean {
  return day.getMonth() === 11 || (day.getMonth() === 0 && day.getDate() <= 6)
}
