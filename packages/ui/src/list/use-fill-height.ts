import { type RefObject, useLayoutEffect } from 'react'

/** Minimum remaining height in px; with less, the page scrolls instead of the list. */
const smallest = 360
/** Width in px below which rows are cards and the page scrolls as a whole. */
const narrowest = 560

export interface FillHeightOptions {
  /** Height in px of the content after the element. */
  below: number
  isOn: boolean
  /** Only visible rows are rendered, so the element must scroll inside, whatever height remains. */
  isBounded: boolean
}

/**
 * Sets an element's height to the space left in the window, so that a long list scrolls inside and its footer stays
 * visible. If too little is left (phones, lists below other content), the page scrolls instead.
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
    // In the next frame: resizing within the callback causes a ResizeObserver loop error.
    let frame = 0
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(fit)
    })
    // Content above (filters, hints) may change its height.
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
