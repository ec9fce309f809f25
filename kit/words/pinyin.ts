// The first letters of how Chinese text is read: 我的商户 is wdsh. By the order of the letters in a dictionary, which every
// browser and Node know; a character with two readings has the one it is sorted by.

/** The first character of each letter's part of a dictionary. */
const FIRST: Readonly<Record<string, string>> = {
  a: '阿',
  b: '八',
  c: '嚓',
  d: '哒',
  e: '妸',
  f: '发',
  g: '旮',
  h: '哈',
  j: '讥',
  k: '咔',
  l: '垃',
  m: '妈',
  n: '拏',
  o: '噢',
  p: '妑',
  q: '七',
  r: '呥',
  s: '仨',
  t: '他',
  w: '屲',
  x: '夕',
  y: '丫',
  z: '帀',
}
const LETTERS = Object.keys(FIRST).reverse()
const { compare } = new Intl.Collator('zh-Hans-CN-u-co-pinyin')

/** Lower case; what is no Chinese character stays. */
export function initialsOf(text: string): string {
  return [...text.toLowerCase()]
    .map(char =>
      /\p{Script=Han}/u.test(char)
        ? (LETTERS.find(letter => compare(char, FIRST[letter] as string) >= 0) ?? char)
        : char,
    )
    .join('')
}
