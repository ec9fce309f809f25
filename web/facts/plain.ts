// What is drawn within something that is pressed as a whole, such as the title of a card, leads nowhere by itself.
import { createContext } from 'react'

export const WithinPressed = createContext(false)
