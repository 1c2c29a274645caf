import { staticBackdropDuration } from '../theme/timings.ts'

/** Nudges the top modal (R015: 100 ms) as feedback on a backdrop click that does not close it. */
export function nudgeStaticModal(): void {
  const contents = document.querySelectorAll('.mantine-Modal-content')
  contents.item(contents.length - 1)?.animate?.([{ scale: '1' }, { scale: '1.02' }, { scale: '1' }], {
    duration: staticBackdropDuration,
    easing: 'ease-out',
  })
}
