// A feature's name in code (`paymentDesk`) and its folder (`payment-desk`).

export function folderOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

export function featureIn(folder: string): string {
  return folder.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
