/** The 24 hours of a day, from midnight on. */
export const hoursOfDay = Array.from({ length: 24 }, (_, hour) => `${hour}:00`)
