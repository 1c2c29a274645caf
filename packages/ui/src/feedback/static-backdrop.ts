import { staticBackdropDuration } from '../theme/timings.ts'

/**
 * A modal that a click beside it must not close answers with a short nudge (R015: 100 ms), so that the click
 * is not simply lost.
 */
export function nudgeStaticModal(): void {
  const contents = document.querySelectorAll('.mantine-Modal-content')
  contents.item(contents.length - 1)?.animate?.([{ scale: '1' }, { scale: '1.02' }, { scale: '1' }], {
    duration: staticBackdropDuration,
    easing: 'ease-out',
  })
}
