// Owns the page's way to send a picture or a large file: progress as it goes, refusals in the server's words.
import { PICTURE_REFUSALS } from '#kit/picture.ts'
import { goToLogin } from './api.ts'
import { busyWhile } from './ready.ts'

type Progress = (share: number) => void

/** Sends a picture; answers its id. Rejects with an Error that says what to tell. `onProgress` hears 0 to 1. */
export async function uploadPicture(
  file: File,
  purpose: string,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<string> {
  const asked = { to: `/api/files?purpose=${encodeURIComponent(purpose)}`, type: file.type }
  return (await send<{ id: string }>(file, asked, onProgress, signal)).id
}

/** The same of a file that is kept as it is, however large. */
export function uploadLarge(
  file: File,
  purpose: string,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<{ id: string; byteSize: number; sha256: string }> {
  const to = `/api/large-files?purpose=${encodeURIComponent(purpose)}`
  const asked = { to, type: 'application/octet-stream', failed: '上传失败，请检查网络后重新上传' }
  return send(file, asked, onProgress, signal)
}

type Asked = { to: string; type: string; failed?: string }

function send<Answer extends { id: string }>(
  file: File,
  { to, type, failed = PICTURE_REFUSALS.PICTURE_BROKEN }: Asked,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<Answer> {
  // fetch tells nothing of a body on its way.
  const request = new XMLHttpRequest()
  const answered = new Promise<Answer>((resolve, reject) => {
    const fail = (message: string = failed) => reject(new Error(message))
    request.upload.onprogress = event => {
      if (event.lengthComputable) onProgress(event.loaded / event.total)
    }
    request.onload = () => {
      const answer = (request.response ?? {}) as Answer & { message?: string }
      if (request.status === 401) goToLogin()
      if (request.status === 200 && answer.id) resolve(answer)
      else fail(request.status < 500 ? answer.message : undefined)
    }
    request.onerror = () => fail()
    request.onabort = () => fail()
    signal.addEventListener('abort', () => request.abort())
    request.open('POST', to)
    request.responseType = 'json'
    request.setRequestHeader('x-requested-with', 'partner-office')
    request.setRequestHeader('content-type', type)
    request.send(file)
  })
  return busyWhile(answered)
}
