"""Django REST framework JSON:API with django-filter over SQLite, as its documentation sets it up.

    json_api.py [--page-size 100]

A car has a maker, which is a resource of its own and may be missing.
"""

import argparse
import os

import launching

parser = argparse.ArgumentParser()
parser.add_argument("--page-size", type=int, default=100)
arguments = parser.parse_args()

place = launching.folder()
file = os.path.join(place.name, "cars.sqlite3")

import django  # noqa: E402
from django.conf import settings  # noqa: E402

# What the page "Getting started" of djangorestframework-jsonapi has.
settings.configure(
    DEBUG=False,
    SECRET_KEY="only for tests",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django_filters", "rest_framework",
                    "rest_framework_json_api"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    DATABASES={"default": {
        "ENGINE": "django.db.backends.sqlite3", "NAME": file,
        "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE"}}},
    REST_FRAMEWORK={
        "EXCEPTION_HANDLER": "rest_framework_json_api.exceptions.exception_handler",
        "DEFAULT_PARSER_CLASSES": ["rest_framework_json_api.parsers.JSONParser"],
        "DEFAULT_RENDERER_CLASSES": ["rest_framework_json_api.renderers.JSONRenderer"],
        "DEFAULT_METADATA_CLASS": "rest_framework_json_api.metadata.JSONAPIMetadata",
        "DEFAULT_SCHEMA_CLASS": "rest_framework_json_api.schemas.openapi.AutoSchema",
        "DEFAULT_FILTER_BACKENDS": [
            "rest_framework_json_api.filters.QueryParameterValidationFilter",
            "rest_framework_json_api.filters.OrderingFilter",
            "rest_framework_json_api.django_filters.DjangoFilterBackend",
        ],
        "DEFAULT_PAGINATION_CLASS": "rest_framework_json_api.pagination.JsonApiPageNumberPagination",
        "PAGE_SIZE": arguments.page_size,
        "SEARCH_PARAM": "filter[search]",
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_PERMISSION_CLASSES": [],
        "UNAUTHENTICATED_USER": None,
    },
)
django.setup()

from django.core.validators import MinValueValidator  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import include, path  # noqa: E402
from rest_framework import routers  # noqa: E402
from rest_framework_json_api import serializers, views  # noqa: E402


class Maker(models.Model):
    name = models.TextField()

    class Meta:
        app_label = "cars"
        db_table = "makers"
        ordering = ["id"]

    class JSONAPIMeta:
        resource_name = "makers"


class Car(models.Model):
    name = models.TextField(blank=True)
    milesPerGallon = models.FloatField(null=True)
    cylinders = models.IntegerField()
    displacement = models.FloatField()
    horsepower = models.IntegerField(null=True)
    weight = models.IntegerField()
    acceleration = models.FloatField()
    year = models.IntegerField(validators=[MinValueValidator(1900)])
    origin = models.TextField(blank=True)
    maker = models.ForeignKey(Maker, models.SET_NULL, null=True, blank=True, related_name="cars")

    class Meta:
        app_label = "cars"
        db_table = "cars"
        ordering = ["id"]

    class JSONAPIMeta:
        resource_name = "cars"


class MakerSerializer(serializers.ModelSerializer):
    class Meta:
        model = Maker
        fields = ["name"]


class CarSerializer(serializers.ModelSerializer):
    included_serializers = {"maker": MakerSerializer}

    class Meta:
        model = Car
        fields = [field.name for field in Car._meta.fields if field.name != "id"]


class MakerViewSet(views.ModelViewSet):
    queryset = Maker.objects.all()
    serializer_class = MakerSerializer



lookups = ["exact", "lt", "lte", "gt", "gte", "in", "isnull"]


class CarViewSet(views.ModelViewSet):
    queryset = Car.objects.all()
    serializer_class = CarSerializer
    ordering_fields = "__all__"
    filterset_fields = {field.name: lookups for field in Car._meta.fields if field.name != "maker"}


router = routers.DefaultRouter(trailing_slash=False)
router.register("cars", CarViewSet)
router.register("makers", MakerViewSet)
urlpatterns = [path("", include(router.urls))]

with connection.schema_editor() as editor:
    editor.create_model(Maker)
    editor.create_model(Car)
with connection.cursor() as cursor:
    cursor.execute("PRAGMA journal_mode=WAL")
connection.close()

launching.serve(
    get_wsgi_application(), place.cleanup,
    rows=launching.Table(file, has_text_ids=True))
