"""FastAPI with SQLModel over SQLite: the app that the tutorial of each ends with, with cars for heroes."""

import os
from typing import Annotated

import launching
from fastapi import Depends, FastAPI, HTTPException, Query
from sqlalchemy import event
from sqlmodel import Field, Session, SQLModel, create_engine, select


class CarBase(SQLModel):
    name: str = Field(index=True)
    milesPerGallon: float | None = None
    cylinders: int
    displacement: float
    horsepower: int | None = None
    weight: int
    acceleration: float
    year: int = Field(ge=1900)
    origin: str


class Car(CarBase, table=True):
    __tablename__ = "cars"
    # The tutorial has it not, and SQLite gives the id of the last row again once that is removed.
    __table_args__ = {"sqlite_autoincrement": True}
    id: int | None = Field(default=None, primary_key=True)


class CarPublic(CarBase):
    id: int


class CarCreate(CarBase):
    pass


class CarUpdate(SQLModel):
    name: str | None = None
    milesPerGallon: float | None = None
    cylinders: int | None = None
    displacement: float | None = None
    horsepower: int | None = None
    weight: int | None = None
    acceleration: float | None = None
    year: int | None = Field(default=None, ge=1900)
    origin: str | None = None


place = launching.folder()
file = os.path.join(place.name, "cars.db")
engine = create_engine(f"sqlite:///{file}", connect_args={"check_same_thread": False, "timeout": 20})
event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA journal_mode=WAL"))
SQLModel.metadata.create_all(engine)


def get_session():
    with Session(engine) as session:
        yield session


SessionDep = Annotated[Session, Depends(get_session)]
app = FastAPI()


@app.post("/cars/", response_model=CarPublic)
def create_car(car: CarCreate, session: SessionDep):
    db_car = Car.model_validate(car)
    session.add(db_car)
    session.commit()
    session.refresh(db_car)
    return db_car


@app.get("/cars/", response_model=list[CarPublic])
def read_cars(session: SessionDep, offset: int = 0, limit: Annotated[int, Query(le=100)] = 100):
    return session.exec(select(Car).offset(offset).limit(limit)).all()


@app.get("/cars/{car_id}", response_model=CarPublic)
def read_car(car_id: int, session: SessionDep):
    car = session.get(Car, car_id)
    if not car:
        raise HTTPException(status_code=404, detail="Car not found")
    return car


@app.patch("/cars/{car_id}", response_model=CarPublic)
def update_car(car_id: int, car: CarUpdate, session: SessionDep):
    car_db = session.get(Car, car_id)
    if not car_db:
        raise HTTPException(status_code=404, detail="Car not found")
    car_db.sqlmodel_update(car.model_dump(exclude_unset=True))
    session.add(car_db)
    session.commit()
    session.refresh(car_db)
    return car_db


@app.delete("/cars/{car_id}")
def delete_car(car_id: int, session: SessionDep):
    car = session.get(Car, car_id)
    if not car:
        raise HTTPException(status_code=404, detail="Car not found")
    session.delete(car)
    session.commit()
    return {"ok": True}


launching.serve_asynchronously(app, place.cleanup, rows=launching.Table(file))
