import { type RefObject, useLayoutEffect } from 'react'

/** What is left must show this much; a list in less would scroll within a page that scrolls itself. */
const smallest = 360
/** Rows are cards in this width: a page of a phone scrolls as a whole. */
const narrowest = 560

export interface FillHeightOptions {
  /** What follows the element, in px. */
  below: number
  isOn: boolean
  /** Only what is in view is drawn: it has to scroll inside, however little is left. */
  isBounded: boolean
}

/**
 * Gives an element the height that is left below it in the window, so that a long list scrolls inside and its
 * foot stays in view. Where too little is left (phones, lists below other things) the page scrolls instead.
 */
export function useFillHeight(
  ref: RefObject<HTMLElement | null>,
  { below, isOn, isBounded }: FillHeightOptions,
): void {
  useLayoutEffect(() => {
    const element = ref.current
    if (!element || !isOn) return undefined
    const fit = () => {
      const top = element.getBoundingClientRect().top + scrollY
      const left = innerHeight - top - below
      const isRoomy = left >= smallest && element.clientWidth > narrowest
      element.style.maxHeight = isRoomy || isBounded ? `${Math.max(smallest, left)}px` : 'none'
    }
    fit()
    // In the next frame: a size set while sizes are told is an error that browsers tell the page of.
    let frame = 0
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(fit)
    })
    // What stands above (filters, hints) may grow or go.
    observer.observe(document.body)
    for (const sibling of element.parentElement?.children ?? []) {
      if (sibling !== element) observer.observe(sibling)
    }
    addEventListener('resize', fit)
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      removeEventListener('resize', fit)
    }
  }, [ref, below, isOn, isBounded])
}
