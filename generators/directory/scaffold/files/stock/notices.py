"""Mail to customers and to the purchasing desk, by the relay of the house."""

import logging
import smtplib
from email.message import EmailMessage

log = logging.getLogger(__name__)

SENDER = "warehouse@stock.example"
ATTEMPTS = 3  # the relay is back within two


class NoticeError(Exception):
    """A notice could not be handed to the relay."""


def shipped(customer: str, number: str) -> EmailMessage:
    """The notice that an order is on its way."""
    message = EmailMessage()
    message["From"], message["To"] = SENDER, customer
    message["Subject"] = f"Your order {number} has left our warehouse"
    message.set_content("It should be with you within three working days.")
    return message


def send(message: EmailMessage, relay: str) -> None:
    """Hand a notice to the relay, with a few attempts."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with smtplib.SMTP(relay, timeout=20) as server:
                server.send_message(message)
                return
        except smtplib.SMTPRecipientsRefused as error:
            raise NoticeError(f"{message['To']} takes no mail from us") from error
        except OSError as error:
            log.warning("relay %s, attempt %d: %s", relay, attempt, error)
    raise NoticeError(f"{relay} did not take the notice to {message['To']}")
