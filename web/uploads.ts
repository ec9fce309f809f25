// Owns the page's way to send a picture: progress as it goes, refusals in the server's words.
import { PICTURE_REFUSALS } from '#kit/picture.ts'
import { goToLogin } from './api.ts'

/** Sends a picture; answers its id. Rejects with an Error that says what to tell. `onProgress` hears 0 to 1. */
export function uploadPicture(
  file: File,
  purpose: string,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  // fetch tells nothing of a body on its way.
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    const fail = (message: string = PICTURE_REFUSALS.PICTURE_BROKEN) => reject(new Error(message))
    request.upload.onprogress = event => {
      if (event.lengthComputable) onProgress(event.loaded / event.total)
    }
    request.onload = () => {
      const answer = (request.response ?? {}) as { id?: string; message?: string }
      if (request.status === 401) goToLogin()
      if (request.status === 200 && answer.id) resolve(answer.id)
      else fail(request.status < 500 ? answer.message : undefined)
    }
    request.onerror = () => fail()
    request.onabort = () => fail()
    signal.addEventListener('abort', () => request.abort())
    request.open('POST', `/api/files?purpose=${encodeURIComponent(purpose)}`)
    request.responseType = 'json'
    request.setRequestHeader('x-requested-with', 'partner-office')
    request.setRequestHeader('content-type', file.type)
    request.send(file)
  })
}
