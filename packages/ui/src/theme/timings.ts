/** The specification's constants of layers and motion (R013, R015). Milliseconds, pixels. */
export const fadeDuration = 150
export const modalDuration = 300
export const staticBackdropDuration = 100
export const notificationWidth = 350
export const notificationLifetime = 5000
/** Of a notification with an action. */
export const actionLifetime = 10_000

/** How many flakes fall while a modal is open in winter (R014). */
export const snowflakes = 300

/** Stacking order: what may cover what. Popups opened from a modal lie above it. */
export const layers = {
  stickyCell: 2,
  stickyBar: 90,
  modal: 1050,
  popover: 1060,
  tooltip: 1070,
  notification: 1080,
  loadingBar: 1090,
} as const

/** How the ground behind a modal darkens (R015); spread it where a modal has overlay properties of its own. */
export const modalOverlay = { backgroundOpacity: 0.4, transitionProps: { duration: fadeDuration } } as const
