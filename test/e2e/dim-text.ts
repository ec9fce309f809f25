// Text that axe has to judge the colours of.

/**
 * Marks text that may be hard to read: what stands out too little against the nearest colours behind it, and what stands on a picture.
 * `besides` is a selector of what is left out. Answers how many there are: axe needs many times as long, and judges these alone.
 */
export const MARK_DIM = (within: string, besides: string) => `(() => {
  const parse = text => {
    const found = /^rgba?\\((\\d+), (\\d+), (\\d+)(?:, ([\\d.]+))?\\)$/.exec(text)
    return found && { rgb: found.slice(1, 4).map(Number), alpha: Number(found[4] ?? 1) }
  }
  const over = ({ rgb, alpha }, behind) => rgb.map((value, at) => value * alpha + behind[at] * (1 - alpha))
  const light = rgb => {
    const [r, g, b] = rgb.map(value => value / 255).map(one => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  /** Null where a picture is behind it. */
  const behind = (element, top = []) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(at)
      const colour = parse(backgroundColor)
      if (backgroundImage !== 'none' || !colour) return null
      if (colour.alpha > 0) top.push(colour)
      if (colour.alpha === 1) break
    }
    return top.toReversed().reduce((below, colour) => over(colour, below), [255, 255, 255])
  }
  const isDim = element => {
    const style = getComputedStyle(element)
    const ground = behind(element)
    const ink = parse(style.color)
    if (!ground || !ink) return true
    let { alpha } = ink
    for (let at = element; at; at = at.parentElement) alpha *= Number(getComputedStyle(at).opacity)
    const [more, less] = [light(over({ rgb: ink.rgb, alpha }, ground)), light(ground)].sort((a, b) => b - a)
    const size = Number.parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    return (more + 0.05) / (less + 0.05) < (isLarge ? 3 : 4.5)
  }
  const hasText = element => element.matches('input, select, textarea') ||
    [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '')
  let marked = 0
  for (const element of document.querySelectorAll(${JSON.stringify(`${within} *`)}))
    if (!element.closest(${JSON.stringify(besides)}) && hasText(element) && element.checkVisibility({ visibilityProperty: true }) && isDim(element)) {
      element.dataset.dim = ''
      marked += 1
    }
  return marked
})()`

export const UNMARK_DIM = `for (const one of document.querySelectorAll('[data-dim]')) delete one.dataset.dim`
