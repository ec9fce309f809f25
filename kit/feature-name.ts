// A feature's name is that of its folder, however deep that stands: `view-as` in texts, `viewAs` in code.

/** A desk stands inside what it shows, and is called after one of them: `payments/desk` is `payment-desk`. */
export function featureAt(folder: string): string {
  const [last = '', shown = ''] = folder.split(/[\\/]/).toReversed()
  if (last !== 'desk') return last
  // What is no plural, such as sms, is short.
  return `${shown.length > 3 ? shown.replace(/s$/, '') : shown}-desk`
}

export function featureIn(folder: string): string {
  return featureAt(folder).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
