import { type RefObject, useLayoutEffect } from 'react'

const smallest = 260

/**
 * Gives an element the height that is left below it in the window, so that a long list scrolls inside and its
 * foot stays in view. `below` is what follows the element, in px.
 */
export function useFillHeight(ref: RefObject<HTMLElement | null>, below: number, isOn: boolean): void {
  useLayoutEffect(() => {
    const element = ref.current
    if (!element || !isOn) return undefined
    const fit = () => {
      const top = element.getBoundingClientRect().top + scrollY
      element.style.maxHeight = `${Math.max(smallest, innerHeight - top - below)}px`
    }
    fit()
    const observer = new ResizeObserver(fit)
    // What stands above (filters, hints) may grow or go.
    observer.observe(document.body)
    for (const sibling of element.parentElement?.children ?? []) {
      if (sibling !== element) observer.observe(sibling)
    }
    addEventListener('resize', fit)
    return () => {
      observer.disconnect()
      removeEventListener('resize', fit)
    }
  }, [ref, below, isOn])
}
