// What a name may hold: letters, digits, and the marks that licences bear; what the documents call special characters it may not.
export const PLAIN_TEXT = /^[\p{L}\p{N}\p{M} \u3000（）()[\]【】〔〕《》·•・、/+\-—_.&'’]*$/u

export function isPlainText(text: string): boolean {
  return PLAIN_TEXT.test(text)
}
