// What every password is made of: letters, digits and symbols, no spaces (D1 §5, D2 §5, D3 §5).

export const PASSWORD_MAX = 64

export const PASSWORD = /^[A-Za-z0-9\p{P}\p{S}]{6,64}$/u

export function isPassword(text: string): boolean {
  return PASSWORD.test(text)
}
