"""The line: so many at once, the others in order and told their place."""

import asyncio

import pytest

from purple_agent.line import FullError, Line


async def stay(line, name, seen, told, leave):
    async def tell(place):
        told.append((name, place))

    async with line.turn(tell, 0.01):
        seen.append(name)
        await leave.wait()


def test_first_come_first_served_and_each_is_told_its_place():
    async def scene():
        line, seen, told = Line(2, 3), [], []
        leave = [asyncio.Event() for _ in range(5)]
        tasks = []
        for name in range(5):
            tasks.append(asyncio.create_task(stay(line, name, seen, told, leave[name])))
            await asyncio.sleep(0)
        assert seen == [0, 1]
        assert line.full
        with pytest.raises(FullError):
            await stay(line, 9, seen, told, leave[0])
        assert told[:3] == [(2, 1), (3, 2), (4, 3)]
        leave[0].set()
        await asyncio.sleep(0.05)
        assert seen == [0, 1, 2]
        assert (4, 2) in told
        for event in leave:
            event.set()
        await asyncio.gather(*tasks)
        assert seen == [0, 1, 2, 3, 4]
        assert (line.inside, line.waiting) == (0, 0)

    asyncio.run(scene())


def test_who_gives_up_waiting_leaves_no_gap():
    async def scene():
        line, seen, told = Line(1, 3), [], []
        leave = asyncio.Event()
        first, second, third = (
            asyncio.create_task(stay(line, name, seen, told, leave)) for name in range(3)
        )
        await asyncio.sleep(0.02)
        second.cancel()
        leave.set()
        await asyncio.gather(first, third)
        assert seen == [0, 2]
        assert line.inside == 0

    asyncio.run(scene())


@pytest.mark.parametrize("moment", range(4))
def test_a_turn_that_is_given_up_as_it_comes_goes_to_the_next(moment):
    async def scene():
        line, seen, told = Line(1, 3), [], []
        leave = asyncio.Event()
        first, second, third = (
            asyncio.create_task(stay(line, name, seen, told, leave)) for name in range(3)
        )
        await asyncio.sleep(0.02)
        leave.set()
        for _ in range(moment):
            await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(first, second, third, return_exceptions=True)
        assert 2 in seen
        assert line.inside == 0

    asyncio.run(scene())
