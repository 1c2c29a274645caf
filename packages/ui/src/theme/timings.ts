/** The specification's constants of layers and motion (R013, R015), in milliseconds and pixels. */
export const fadeDuration = 150
export const modalDuration = 300
export const staticBackdropDuration = 100
export const notificationWidth = 350
export const notificationLifetime = 5000
/** Lifetime of a notification with an action. */
export const actionLifetime = 10_000

/** Number of snowflakes while a modal is open in winter (R014). */
export const snowflakes = 300

/** Stacking order (z-index). Popups opened from a modal are above it. */
export const layers = {
  stickyCell: 2,
  stickyBar: 90,
  modal: 1050,
  popover: 1060,
  tooltip: 1070,
  notification: 1080,
  loadingBar: 1090,
} as const

/** Backdrop of modals (R015); spread it if a modal sets its own overlay props. */
export const modalOverlay = { backgroundOpacity: 0.4, transitionProps: { duration: fadeDuration } } as const
