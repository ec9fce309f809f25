import { busyWhile } from '../../client/ready.ts'

/** The bytes of a file as the contracts take them; rejects with what the browser cannot read. */
export function base64Of(file: Blob): Promise<string> {
  const read = new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  return busyWhile(read)
}
