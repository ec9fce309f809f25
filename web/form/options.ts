/** The words of a vocabulary as options, in their order. */
export function optionsOf<K extends string>(
  names: Readonly<Record<K, string>>,
): { value: K; label: string }[] {
  return (Object.keys(names) as K[]).map(value => ({ value, label: names[value] }))
}
